/** For `ref`: an answer that appears below what is seen of a form, and would be missed there, is brought into view once. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
