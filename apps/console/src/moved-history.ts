type OnMoved = (event: PopStateEvent) => void
type Listened = { addEventListener(name: 'popstate', listener: OnMoved): void }

/** Lets one part of the console hear that the browser moved through its history, before the router does. */
export type MovedHistory = { listen(onMoved: OnMoved): () => void }

/** Watches a page for that. To be made before the router: browsers call the listeners of a window in the order in which they were added. */
export function watchHistory(page: Listened): MovedHistory {
  let heard: OnMoved | undefined
  page.addEventListener('popstate', (event) => heard?.(event))
  return {
    listen: (onMoved) => {
      heard = onMoved
      return () => {
        if (heard === onMoved) heard = undefined
      }
    },
  }
}
