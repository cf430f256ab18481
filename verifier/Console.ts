/** What the program may touch. Tests pass their own. */
export interface Console {
  /** Folder that relative paths and `.perigee` start from. */
  cwd: string
  /** Seconds since 1970. */
  now(): number
  /** One line of result. */
  print(line: string): void
  /** One line of progress, on stderr, so that stdout stays machine-readable. */
  progress(line: string): void
}
