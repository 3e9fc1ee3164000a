from pages.common.frame import open_page

open_page("…", "…")
