return { class = "databases", title = "databases", rules = {
} }
