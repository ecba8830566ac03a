import { Navigate, Route, Routes } from 'react-router'
import { features } from './features.ts'
import { HOME } from './home.ts'
import { type LazyPage, lazyPage } from './page.tsx'

/** The pages of somebody who is signed in, by their path under /mpc. */
const memberPages: Readonly<Record<string, LazyPage>> = Object.fromEntries(
  features.flatMap(({ pages = {}, hasLateWords }) => Object.entries(pages).map(([path, load]) => [path, lazyPage(load, hasLateWords)])),
)

/** Begins to fetch the page at a path. */
export function preloadMemberPage(path: string): void {
  memberPages[path.replace(/^\/mpc\//, '')]?.preload()
}

/** The page behind the sign-in that stands at the present address; an unknown one leads to the wallets. It is fetched once somebody is signed in. */
export function MemberPages() {
  const toHome = <Navigate to={HOME} replace />
  return (
    <Routes>
      <Route index element={toHome} />
      {Object.entries(memberPages).map(([path, Page]) => (
        <Route key={path} path={path} caseSensitive element={<Page />} />
      ))}
      <Route path="*" element={toHome} />
    </Routes>
  )
}
