import type { ServerFeature } from '@holdfast/features/server-feature'
import { bookEndpoints } from './book/book-routes.ts'
import { addressBookEndpoints } from './routes.ts'

export { listsOfBook } from './book/lists-of-book.ts'
export { entriesLike } from './similar-to.ts'
export { listPersonal } from './list-personal.ts'
export { listWhitelistChanges } from './book/read-audits.ts'
export { listedPlaces } from './book/listed-places.ts'

export const feature: ServerFeature = {
  endpoints: (context, { session }) => [...addressBookEndpoints(context), ...bookEndpoints(context, session)],
}
