return { class = "deletion", title = "Deletion", rules = {
} }
