/**
 * What is made once for each form in which something is asked, such as a question that is written once (`writtenOnce`) and of which the words depend on
 * what is narrowed. There are only a few forms: a form holds no values.
 */
export function byForm<Form, Made>(make: (form: Form) => Made): (form: Form) => Made {
  const made = new Map<string, Made>()
  return (form) => {
    const name = JSON.stringify(form)
    const found = made.get(name) ?? make(form)
    made.set(name, found)
    return found
  }
}
