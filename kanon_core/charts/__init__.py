"""Figures and maps made from core results: plotly and folium, no Streamlit. Import the module you need."""
