import type { BrowserHints } from '../../folding/shared/browser.ts'
import type { ConfinedFetch, ProbeDeps } from './probes.ts'

type UserAgentData = { readonly brands?: readonly { readonly brand: string }[]; readonly platform?: string }
type KnownNavigator = Navigator & {
  readonly userAgentData?: UserAgentData
  readonly brave?: { readonly isBrave?: () => Promise<boolean> }
}

/** What probes use of a browser. */
export function browserProbes(
  window: Window,
): Pick<ProbeDeps, 'createSocket' | 'queryPermission' | 'fetchInFrame' | 'page' | 'readHints'> {
  const { navigator, document } = window
  return {
    createSocket: url => new WebSocket(url),
    queryPermission: async name => {
      // Only Chrome knows these names, and TypeScript none of them.
      const { state } = await navigator.permissions.query({ name: name as PermissionName })
      return state
    },
    fetchInFrame: origin => openFrame(document, origin),
    page: { origin: window.location.origin, isSecureContext: window.isSecureContext },
    readHints: () => readHints(navigator),
  }
}

async function readHints(navigator: KnownNavigator): Promise<BrowserHints> {
  const { userAgent, userAgentData, maxTouchPoints, brave } = navigator
  return {
    userAgent,
    brands: userAgentData?.brands?.map(({ brand }) => brand) ?? [],
    platform: userAgentData?.platform ?? '',
    isBrave: (await brave?.isBrave?.().catch(() => false)) ?? false,
    touchPoints: maxTouchPoints,
  }
}

/** An empty frame of this page's origin, whose own policy lets it connect to one server alone. */
function openFrame(document: Document, origin: string): Promise<ConfinedFetch> {
  return new Promise((resolve, reject) => {
    const frame = document.createElement('iframe')
    frame.hidden = true
    frame.title = ''
    frame.setAttribute(
      'srcdoc',
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src ${origin}">`,
    )
    const close = (): void => frame.remove()
    frame.addEventListener('load', () => {
      const inside = frame.contentWindow as (Window & typeof globalThis) | null
      if (inside === null) {
        close()
        reject(new Error('The frame has no window.'))
        return
      }
      resolve({
        fetch: (url, signal) =>
          inside.fetch(url, {
            mode: 'no-cors',
            cache: 'no-store',
            credentials: 'omit',
            referrerPolicy: 'no-referrer',
            signal,
          }),
        close,
      })
    })
    document.body.append(frame)
  })
}
