/* The worker as it is. Kept for programs that start it by this name; `FAILPOINT_FILE` (workers/failpoints.ts) does the rest. */
import '../../workers/main.js'
