import type { ReactNode } from 'react'

export interface NoteProps {
  tone: 'good' | 'warn' | 'bad' | ''
  /** `alert` for what the visitor must not miss. */
  role?: 'status' | 'alert' | 'note'
  /** The first words, in bold. */
  title?: ReactNode
  /** The rest of the first paragraph. */
  text?: ReactNode
  children?: ReactNode
}

/** A coloured box that says how something went. */
export function Note({ tone, role = 'status', title, text, children }: NoteProps) {
  return (
    <div className={`note ${tone}`} role={role}>
      <p>
        {title && <strong>{title}</strong>} {text}
      </p>
      {children}
    </div>
  )
}
