function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** The page that asks for an e-mail address. Works without scripts. */
export function signInPage(action: string, email = '', problem = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in · Perigee development</title>
<style>${style}</style>
</head>
<body>
<main>
  <svg viewBox="0 0 64 64" width="56" height="56" aria-hidden="true">
    <ellipse cx="32" cy="32" rx="29" ry="15" transform="rotate(-28 32 32)" fill="none" stroke="currentColor" stroke-width="2.5"/>
    <circle cx="24" cy="36" r="8" fill="currentColor"/>
    <circle cx="14" cy="49" r="3.5" fill="var(--accent)"/>
  </svg>
  <h1>Who are you today?</h1>
  <p class="lead">This is Perigee’s development identity provider. Any e-mail address will do, and there is no password.</p>
  <form method="post" action="${escape(action)}" novalidate>
    <label for="email">E-mail address</label>
    <input id="email" name="email" type="email" inputmode="email" autocomplete="email" autofocus required
      placeholder="ada@example.test" value="${escape(email)}"${problem ? ' aria-invalid="true" aria-describedby="problem"' : ''}>
    ${problem ? `<p id="problem" role="alert">${escape(problem)}</p>` : ''}
    <button type="submit" name="action" value="continue">Continue</button>
    <button type="submit" name="action" value="cancel" class="quiet">Cancel</button>
  </form>
  <p class="note">The same address is always the same person, with the same wallet. Never run this where strangers can reach it.</p>
</main>
</body>
</html>`
}

const style = `
:root { color-scheme: light dark; --ink: #14202b; --soft: #566573; --paper: #f4f6f8; --card: #fff; --line: #cfd8e0; --accent: #0b6bcb; --on: #fff; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eef3; --soft: #9fb0bf; --paper: #0e151c; --card: #17212b; --line: #33424f; --accent: #6cb6ff; --on: #08131d; --bad: #ff9c94 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: min(420px, 100%); padding: 36px 32px 28px; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
h1 { margin: 16px 0 8px; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em }
.lead { margin: 0 0 24px; color: var(--soft) }
label { display: block; margin-bottom: 6px; font-weight: 600; font-size: .92rem }
input { width: 100%; padding: 11px 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 9px }
input[aria-invalid] { border-color: var(--bad) }
input:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
#problem { margin: 6px 0 0; color: var(--bad); font-size: .92rem }
button { width: 100%; margin-top: 14px; padding: 12px; font: inherit; font-weight: 600; color: var(--on); background: var(--accent); border: 0; border-radius: 9px; cursor: pointer }
button.quiet { margin-top: 6px; color: var(--soft); background: transparent; font-weight: 500 }
.note { margin: 20px 0 0; padding-top: 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: .86rem }
`
