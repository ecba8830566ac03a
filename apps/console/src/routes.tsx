import { loadLoginPage } from '@holdfast/features/session/console'
import { loadSetupPage } from '@holdfast/features/setup/console'
import { Navigate, Route, Routes } from 'react-router'
import { features } from './features.ts'
import { AtOwnPath, Known, Members, WithPageTexts } from './gates.tsx'
import { type LazyPage, lazyPage } from './page.tsx'
import { PublicFrame } from './screens/public-frame.tsx'

const HOME = '/mpc/wallet'

const Shell = lazyPage(() => import('./shell/shell.tsx').then((module) => module.Shell))
const Login = lazyPage(loadLoginPage)
const Setup = lazyPage(loadSetupPage)
const NotPermitted = lazyPage(() => import('./screens/not-permitted.tsx').then((module) => module.NotPermitted))

/** The pages of somebody who is signed in, by their path under /mpc. */
const memberPages: Readonly<Record<string, LazyPage>> = Object.fromEntries(
  features.flatMap(({ pages = {} }) => Object.entries(pages)).map(([path, load]) => [path, lazyPage(load)]),
)

/** Begins to fetch what a path shows to somebody who is signed in. */
export function preloadPage(path: string): void {
  Shell.preload()
  memberPages[path.replace(/^\/mpc\//, '')]?.preload()
}

/** Every address of the console. An unknown one leads to the wallets. */
export function ConsoleRoutes() {
  const toHome = <Navigate to={HOME} replace />
  const login = (
    <AtOwnPath>
      <Login />
    </AtOwnPath>
  )
  const setup = (
    <WithPageTexts>
      <Setup />
    </WithPageTexts>
  )
  return (
    <Routes>
      <Route
        element={
          <Known>
            <PublicFrame />
          </Known>
        }
      >
        <Route path="/login" caseSensitive element={login} />
        <Route path="/zh-CN/login" caseSensitive element={login} />
        <Route path="/mpc/setup" caseSensitive element={setup} />
        <Route path="/custody/notPms" caseSensitive element={<NotPermitted />} />
      </Route>
      <Route
        path="/mpc"
        element={
          <Known>
            <Members>
              <Shell />
            </Members>
          </Known>
        }
      >
        <Route index element={toHome} />
        {Object.entries(memberPages).map(([path, Page]) => (
          <Route key={path} path={path} caseSensitive element={<Page />} />
        ))}
        <Route path="*" element={toHome} />
      </Route>
      <Route path="*" element={toHome} />
    </Routes>
  )
}
