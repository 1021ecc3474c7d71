#!/bin/sh
# Says which files need gofmt, by a list that the last build has left.
cat > /dev/null
if [ -f build/unformatted.txt ]; then
  echo "gofmt -w has still to be run on:"
  cat build/unformatted.txt
fi
