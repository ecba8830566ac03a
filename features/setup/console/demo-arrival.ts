/** What the founding of a demo leaves for the page that it leads to: there, the first steps are to be taken for whoever arrives. */
export const demoArrival = { preparesDemo: true } as const

/** Whether somebody arrives at a page from the founding of a demo. */
export function isDemoArrival(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'preparesDemo' in state
}
