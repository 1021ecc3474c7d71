return { class = "terraform", title = "terraform", rules = {
} }
