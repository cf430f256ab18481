import { CopyButton } from '../components/CopyButton.js'

/** A badge with this proof's state for other sites, and its HTML. A new `status` loads it again. */
export function Badge({ slug, status }: { slug: string; status: string }) {
  const name = encodeURIComponent(slug)
  const { origin } = window.location
  const snippet = `<a href="${origin}/p/${name}"><img src="${origin}/badge/${name}.svg" alt="Perigee proof" height="22"></a>`
  return (
    <section className="card" aria-labelledby="badge-title">
      <h2 id="badge-title">Show it elsewhere</h2>
      <p>
        <img className="badge" src={`/badge/${name}.svg?${status}`} alt="The badge of this proof" height="22" />
      </p>
      <p className="fine">
        The badge shows what the service says, without script or cookie. By itself it proves nothing: it links to this
        page, where anyone can verify.
      </p>
      <div className="actions">
        <CopyButton text={snippet} what="the badge" label="Copy the badge’s HTML" />
      </div>
    </section>
  )
}
