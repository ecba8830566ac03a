/** An answer that says when whoever asked looks at its error: they show it then, and nobody else has to. */
export function noticeError<Answer extends object>(answer: Answer, onLooked: () => void): Answer {
  return new Proxy(answer, {
    get(target, key) {
      if (key === 'error' || key === 'isError') onLooked()
      return Reflect.get(target, key)
    },
  })
}
