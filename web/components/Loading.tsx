/** What a page shows while it loads: the words, and grey bars where its content will be. */
export function Loading({ words = 'Loading…' }: { words?: string }) {
  return (
    <>
      <p className="loading" role="status">
        {words}
      </p>
      {[3, 4].map((lines) => (
        <div key={lines} className="card" aria-hidden="true">
          {Array.from({ length: lines }, (_, line) => (
            <span key={line} className="skeleton" />
          ))}
        </div>
      ))}
    </>
  )
}
