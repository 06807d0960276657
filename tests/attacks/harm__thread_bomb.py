"""Start threads without end. There are only so many; what follows has none left, the others do."""
# keeps: any

import threading
import time

while True:
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
