/** Saves text as a file. The text is made on click. */
export function DownloadButton({ name, content, label }: { name: string; content: () => string; label: string }) {
  const download = () => {
    const url = URL.createObjectURL(new Blob([content()], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button type="button" className="button quiet" onClick={download}>
      {label}
    </button>
  )
}
