return { class = "publishing", title = "publishing", rules = {
} }
