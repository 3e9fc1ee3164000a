"""Figures and maps of the results of the core: with plotly, without Streamlit. Import the module you need."""
