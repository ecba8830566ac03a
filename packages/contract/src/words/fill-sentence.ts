/** Fills the `{names}` of a sentence with details, each as it is `said`. A detail that is missing reads as "-". */
export function fillSentence(
  sentence: string,
  details: Readonly<Record<string, unknown>> = {},
  said: (name: string, detail: string) => string = (_name, detail) => detail,
): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const detail = Object.hasOwn(details, name) ? details[name] : undefined
    if (typeof detail === 'string') return said(name, detail)
    return typeof detail === 'number' ? String(detail) : '-'
  })
}
