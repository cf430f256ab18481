export const help = `npm run soak -- [options]

The fault test: several people sign through the API while processes are killed and frozen, networks fail, the chain is
reorganised and everything is restarted at once. Then a checker, a program of its own, counts what went wrong.

  --profile short|long  what the other options default to (short): 150 signatures and 10 kills, or 10,000 and 160
  --signatures N        how many signatures are asked for while faults happen
  --rate R              how many a second
  --minutes M           instead of --rate: how long the faults go on
  --kills N             how many processes are killed with SIGKILL, evenly over the nine kinds; other faults join them
  --seed S              a whole number; the same seed plans the same faults (default: the time)
  --users U             how many people sign
  --apis N, --workers N how many processes of each (2)
  --rolling N           then: restart APIs and workers by SIGTERM under load, N restarts in all, no request may fail
  --backlog N           then: the chain is away until N proofs wait for it, and must drain
  --recovery SECONDS    the longest a single kill may keep signatures from being made (10)
  --failpoints [--runs N] [--points N]  instead: die at every step of signing and publishing, N times each (3), same checker
  --report FILE         also write the result as a section of this Markdown file (docs/reliability.md)
  --json                print the result as JSON
  --keep                keep the folder with logs, timeline and data (kept anyway when something is wrong)
  --help

Exit code 0 when every count is zero; 1 otherwise, with the seed and the timeline; 2 for options that make no sense.`
