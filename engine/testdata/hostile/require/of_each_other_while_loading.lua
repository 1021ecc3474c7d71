-- title: the same while the script loads
-- expect: load error
require("ping")
