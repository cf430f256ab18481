"""Answers JSON lines with what PyPI's dcap-qvl says: {quote, collateral, root, now} in, {status, advisoryIds} or {error} out."""
import json
import sys

import dcap_qvl

for line in sys.stdin:
    task = json.loads(line)
    try:
        collateral = dcap_qvl.QuoteCollateralV3.from_json(task["collateral"])
        verdict = dcap_qvl.verify_with_root_ca(
            bytes.fromhex(task["quote"]), collateral, bytes.fromhex(task["root"]), task["now"]
        )
        answer = {"status": verdict.status, "advisoryIds": sorted(verdict.advisory_ids)}
    except Exception as error:  # the library raises ValueError, and PanicException for its own faults
        answer = {"error": str(error).splitlines()[0] if str(error) else "error"}
    print(json.dumps(answer), flush=True)
