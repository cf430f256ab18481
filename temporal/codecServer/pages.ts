const page = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Perigee payload codec</title><h1>Perigee payload codec</h1>${body}</html>\n`

/** Provider names are `[a-z0-9_-]` by configuration, so nothing needs escaping. */
export const signInPage = (providers: readonly string[]) =>
  page(
    `<p>Operators sign in here to read payloads in the Temporal UI.</p>${providers
      .map((name) => `<p><a href="/sign-in/${name}">Sign in with ${name}</a></p>`)
      .join('')}`,
  )

export const signedInPage = (hasUi: boolean) =>
  page(
    `<p>You are signed in. Reload the Temporal UI to see decoded payloads.</p>
${hasUi ? '<p><a href="/ui/">Temporal UI</a></p>\n' : ''}<form method="post" action="/token"><button>Token for the temporal CLI</button></form>
<form method="post" action="/sign-out"><button>Sign out</button></form>`,
  )

/** The token is ours: base64url. */
export const tokenPage = (publicUrl: string, token: string) =>
  page(
    `<p>Valid until this session ends or you sign out. Keep it out of files and chats.</p>
<pre>export TEMPORAL_CODEC_ENDPOINT=${publicUrl} TEMPORAL_CODEC_AUTH="Bearer ${token}"</pre>`,
  )
