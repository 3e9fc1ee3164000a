"""Maps of a release, made with folium, which ask no other machine for anything.

`rectangle_map` returns a `folium.Map`: an `OfflineMap` with the layers `Ground`, `Rectangles` and, on
request, `Records`."""
