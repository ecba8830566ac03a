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

/** What a hook makes of an answer, with its error handed on: whoever takes it out shows it, and it is not looked at before. */
export function withError<Shown extends object, Answer extends { error: unknown; refetch: unknown }>(
  answer: Answer,
  shown: Shown,
): Shown & Pick<Answer, 'error' | 'refetch'> {
  return {
    ...shown,
    refetch: answer.refetch,
    get error() {
      return answer.error
    },
  }
}
