import os
import subprocess
import sys

from ragproof_core import hookimpl

print("printed at import")
os.write(1, b"written at import\n")
subprocess.run([sys.executable, "-c", "print('printed by a child')"], check=True)


class Metric:
    api_version = 1
    direction = "higher"

    @hookimpl
    def score(self):
        print("printed while scoring")
        return 1.0
