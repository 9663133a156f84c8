import sys
from pathlib import Path

# Tests share small modules such as `walks`.
sys.path.insert(0, str(Path(__file__).parent))
