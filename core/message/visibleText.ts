const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

/** Characters that a terminal or a page would not show, or that turn the rest of a line around, as `\u…`. */
export function visibleText(text: string, { keepLines = false } = {}): string {
  return text.replace(invisible, (char) => (keepLines && char === '\n' ? char : escape(char)))
}

const escape = (char: string) =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
