"""Unpack a zip bomb. The scratch folder is full, and that is all."""
# flag: no

import io
import zipfile

packed = io.BytesIO()
with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
    for number in range(20):
        archive.writestr(f"../{number}", bytes(10**7))
zipfile.ZipFile(packed).extractall("/scratch")
