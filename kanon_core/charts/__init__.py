"""Figures and maps made from core results: plotly, no Streamlit. Import the module you need."""
