/** Notices whether whoever asked looks at the error of an answer: they show it then, and nobody else has to. */
export function errorNotice() {
  let isLooked = false
  return {
    isLooked: () => isLooked,
    /** The answer as it is, but for being noticed. */
    on: <Answer extends object>(answer: Answer): Answer =>
      new Proxy(answer, {
        get(target, key) {
          if (key === 'error' || key === 'isError') isLooked = true
          return Reflect.get(target, key)
        },
      }),
  }
}
