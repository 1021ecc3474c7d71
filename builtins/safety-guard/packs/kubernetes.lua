return { class = "kubernetes", title = "kubernetes", rules = {
} }
