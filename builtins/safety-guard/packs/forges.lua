return { class = "forges", title = "forges", rules = {
} }
