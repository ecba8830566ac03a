import { useIsSigningOut } from '@holdfast/features/session/console'
import { DrawerContext, lazyPart, ToastHost } from '@holdfast/ui'
import { useContext, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { chunkFailed } from './chunk-failure.ts'
import { GuardedLinks } from './guarded-links.tsx'
import { ConsoleRoutes } from './routes.tsx'
import { Splash } from './screens/splash.tsx'
import { useServices } from './services-context.ts'
import { useGuardedBack } from './use-guarded-back.ts'

// The page behind is dimmed at once: on a slow network a person sees that something comes, and cannot open it twice.
const DrawerHost = lazyPart(() => import('./drawer-host.ts').then((module) => module.DrawerHost, chunkFailed), <Coming />)

/**
 * What stands in every page: the page itself, the side drawer and the messages. Who is signing out sees neither page nor drawer any more: one
 * that asked on, by a timer say, would be refused once the cookies are gone, and would tell the person so.
 */
export function Root() {
  const services = useServices()
  const navigate = useNavigate()
  const isSigningOut = useIsSigningOut()
  useEffect(() => {
    services.takeNavigator((path, options) => void navigate(path, options))
  }, [services, navigate])
  return (
    <>
      {isSigningOut ? (
        <Splash />
      ) : (
        <GuardedLinks>
          <ConsoleRoutes />
          <Drawers />
        </GuardedLinks>
      )}
      <ToastHost />
    </>
  )
}

/** The side drawer is fetched when it is first opened. */
function Drawers() {
  const drawers = useContext(DrawerContext)
  useGuardedBack()
  useClosedWithPage()
  const isUsed = useSyncExternalStore(drawers?.subscribe ?? noSubscription, () => (drawers?.pages().length ?? 0) > 0)
  return isUsed && <DrawerHost />
}

function Coming() {
  useLayoutEffect(() => {
    // The focus is still where it was: pressed again, the same button would open the same once more.
    const refuse = (event: KeyboardEvent) => {
      if (event.key === 'Enter' || event.key === ' ') event.preventDefault()
    }
    document.addEventListener('keydown', refuse, true)
    return () => document.removeEventListener('keydown', refuse, true)
  }, [])
  return <div className="hf-drawer-mask" aria-busy="true" />
}

/** What is open belongs to a page: by the back button, or wherever else a person goes, it closes with it. */
function useClosedWithPage(): void {
  const drawers = useContext(DrawerContext)
  const { pathname } = useLocation()
  const last = useRef(pathname)
  // Before the effects of the new page, which may open something of its own.
  useLayoutEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    drawers?.close()
  }, [drawers, pathname])
}

const noSubscription = () => () => undefined
