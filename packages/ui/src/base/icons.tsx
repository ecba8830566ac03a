import type { ReactNode, SVGProps } from 'react'

/** A simple line drawing on a grid of 24, as high as the text it stands in. It repeats what words say, so it is hidden from screen readers. */
export function drawing(content: ReactNode) {
  return function Icon(props: SVGProps<SVGSVGElement>) {
    return (
      <svg
        viewBox="0 0 24 24"
        width="1em"
        height="1em"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.8}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...props}
      >
        {content}
      </svg>
    )
  }
}

const circle = <circle cx="12" cy="12" r="9" />

export const IconCheck = drawing(<path d="m5 12.5 4.5 4.5L19 7.5" />)
export const IconClose = drawing(<path d="M6 6l12 12M18 6 6 18" />)
export const IconMore = drawing(<path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth={2.6} />)
export const IconPlus = drawing(<path d="M12 5v14M5 12h14" />)
export const IconInfo = drawing(
  <>
    {circle}
    <path d="M12 11v5M12 7.8v.1" />
  </>,
)
export const IconWarning = drawing(
  <>
    {circle}
    <path d="M12 7.5v5.5M12 16.2v.1" />
  </>,
)
export const IconError = drawing(
  <>
    {circle}
    <path d="m9 9 6 6M15 9l-6 6" />
  </>,
)
export const IconDone = drawing(
  <>
    {circle}
    <path d="m8 12.3 2.8 2.8L16 9.6" />
  </>,
)
export const IconCopy = drawing(
  <>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2.2" />
    <path d="M15.5 8.5V6.2A1.7 1.7 0 0 0 13.8 4.5H6.2A1.7 1.7 0 0 0 4.5 6.2v7.6a1.7 1.7 0 0 0 1.7 1.7h2.3" />
  </>,
)
export const IconTrash = drawing(<path d="M4.5 7h15M9.5 7V4.8h5V7M6.5 7l.8 12.2h9.4L17.5 7M10 11v4.5M14 11v4.5" />)
export const IconScan = drawing(
  <>
    <path d="M4 8.500V5.500A1.5 1.5 0 0 1 5.5 4h3M15.500 4h3A1.5 1.5 0 0 1 20 5.500v3M20 15.500v3a1.5 1.5 0 0 1-1.500 1.500h-3M8.500 20h-3A1.5 1.5 0 0 1 4 18.500v-3" />
    <path d="M4 12h16" />
  </>,
)
export const IconKey = drawing(
  <>
    <circle cx="8" cy="15.5" r="4" />
    <path d="m11 12.6 8-8M16 7.5l2.6 2.6" />
  </>,
)
export const IconLock = drawing(
  <>
    <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
    <path d="M8.3 10.5V8a3.7 3.7 0 0 1 7.4 0v2.5M12 14.4v2" />
  </>,
)
export const IconDevice = drawing(
  <>
    <rect x="4.5" y="5" width="15" height="10.5" rx="1.8" />
    <path d="M2.5 19h19" />
  </>,
)
export const IconGlobe = drawing(
  <>
    {circle}
    <path d="M3.2 12h17.6M12 3c2.6 2.6 3.8 5.6 3.8 9s-1.2 6.4-3.8 9c-2.6-2.6-3.8-5.6-3.8-9S9.4 5.6 12 3z" />
  </>,
)
export const IconSun = drawing(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.800v2M12 19.200v2M2.8 12h2M19.2 12h2M5.5 5.500l1.4 1.400M17.1 17.100l1.4 1.400M5.5 18.500l1.4-1.400M17.1 6.900l1.4-1.4" />
  </>,
)
export const IconMoon = drawing(<path d="M19.5 14.200A8 8 0 0 1 9.8 4.500a8 8 0 1 0 9.7 9.700z" />)
export const IconGrid = drawing(
  <>
    <rect x="4" y="4" width="6.5" height="6.5" rx="1.4" />
    <rect x="13.5" y="4" width="6.5" height="6.5" rx="1.4" />
    <rect x="4" y="13.5" width="6.5" height="6.5" rx="1.4" />
    <rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.4" />
  </>,
)
export const IconWallet = drawing(
  <>
    <path d="M17.5 7.500V5.300a1.3 1.3 0 0 0-1.7-1.200L5.5 6.600A2 2 0 0 0 4 8.500v9A2.5 2.5 0 0 0 6.5 20h11.200a2.3 2.3 0 0 0 2.3-2.300V9.800a2.3 2.3 0 0 0-2.3-2.300H6" />
    <path d="M15.8 13.800v.1" />
  </>,
)
export const IconSwap = drawing(<path d="M4 8.500h14.500M15 5l3.5 3.500L15 12M20 15.500H5.500M9 12l-3.5 3.500L9 19" />)
export const IconTask = drawing(
  <>
    <rect x="4.5" y="5" width="15" height="15" rx="2.2" />
    <path d="m8.5 12.6 2.5 2.5 4.5-5M8.5 3v3.500M15.5 3v3.5" />
  </>,
)
export const IconBuilding = drawing(<path d="M3.5 9.5 12 4.500l8.5 5M5.5 9.500V18M10 9.500V18M14 9.500V18M18.5 9.500V18M3.5 20h17" />)
export const IconLeave = drawing(<path d="M10 4.500H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.500h4M15 8l4 4-4 4M19 12H9.5" />)
export const IconEdit = drawing(<path d="m14.5 6 3.5 3.500L8.5 19l-4.2.7.7-4.200zM12.5 20h7" />)
export const IconDown = drawing(<path d="M12 5v14M6 13l6 6 6-6" />)
export const IconUp = drawing(<path d="M12 19V5M6 11l6-6 6 6" />)
export const IconRight = drawing(<path d="M5 12h14M13 6l6 6-6 6" />)
export const IconExternal = drawing(
  <path d="M13.5 4.500h6v6M19.5 4.500l-8.5 8.500M9.5 6H6a1.5 1.5 0 0 0-1.5 1.500V18A1.5 1.5 0 0 0 6 19.500h10.500A1.5 1.5 0 0 0 18 18v-3.5" />,
)
export const IconDownload = drawing(<path d="M12 4v11M7.5 10.5 12 15l4.5-4.5M5 19.5h14" />)
export const IconUpload = drawing(<path d="M12 15.500v-11M7.5 9 12 4.5 16.5 9M5 19.500h14" />)
export const IconSearch = drawing(
  <>
    <circle cx="10.8" cy="10.8" r="6.3" />
    <path d="m15.5 15.5 4.5 4.5" />
  </>,
)
export const IconBolt = drawing(<path d="M13 3 5.5 13.500H11L10.5 21 18.5 10H13z" />)
export const IconSliders = drawing(<path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5" />)
export const IconChart = drawing(<path d="M4 4v16h16M7.5 15l4-4.500 3 2.500L19 8" />)
export const IconTable = drawing(
  <>
    <rect x="4" y="5" width="16" height="14" rx="1.8" />
    <path d="M4 10h16M4 14.500h16M10 10v9" />
  </>,
)
export const IconChevron = drawing(<path d="m7 10 5 5 5-5" />)
export const IconBack = drawing(<path d="m14.5 6-6 6 6 6" />)
export const IconForward = drawing(<path d="m9.5 6 6 6-6 6" />)
