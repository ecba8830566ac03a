export { TodoBadge } from './todo-badge.tsx'

/** Pages of this feature; each is fetched when it is first opened. */
export const loadTodoPage = () => import('./todo-page.tsx').then((module) => module.TodoPage)
