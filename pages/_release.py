"""The address /release while Streamlit has not run app.py yet (`pages.shell.frame.first_look`)."""

from pages.shell.frame import first_look

first_look()
