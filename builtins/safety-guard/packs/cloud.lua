return { class = "cloud", title = "cloud", rules = {
} }
