import { t } from '@lingui/core/macro'

/** What decides how a page may reach the local network, and where its permissions are set. */
export type BrowserName = 'chrome' | 'edge' | 'opera' | 'brave' | 'firefox' | 'safari' | 'other'
export type SystemName = 'windows' | 'macos' | 'linux' | 'android' | 'ios' | 'other'
export type Browser = { readonly name: BrowserName; readonly system: SystemName }

/** What a browser tells of itself: `navigator.userAgent`, the brands of `navigator.userAgentData`, `navigator.brave`. */
export type BrowserHints = {
  readonly userAgent: string
  readonly brands: readonly string[]
  /** `userAgentData.platform`, '' where there is none. */
  readonly platform: string
  readonly isBrave: boolean
  /** An iPad reports that it is a Mac; a Mac has no touch screen. */
  readonly touchPoints: number
}

export function readBrowser(hints: BrowserHints): Browser {
  const system = systemOf(hints)
  return { name: nameOf(hints, system), system }
}

export function browserLabel({ name, system }: Browser): string {
  const label = BROWSER_LABELS[name]
  return system === 'other' ? label : `${label} (${SYSTEM_LABELS[system]})`
}

const BROWSER_LABELS: Readonly<Record<BrowserName, string>> = {
  chrome: t`Chrome`,
  edge: t`Edge`,
  opera: t`Opera`,
  brave: t`Brave`,
  firefox: t`Firefox`,
  safari: t`Safari`,
  other: t`Browser`,
}

const SYSTEM_LABELS: Readonly<Record<Exclude<SystemName, 'other'>, string>> = {
  windows: t`Windows`,
  macos: t`macOS`,
  linux: t`Linux`,
  android: t`Android`,
  ios: t`iOS`,
}

function systemOf({ userAgent, platform, touchPoints }: BrowserHints): SystemName {
  const source = platform === '' ? userAgent : platform
  if (/android/i.test(source)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  if (/mac/i.test(source)) return touchPoints > 1 ? 'ios' : 'macos'
  if (/windows/i.test(source)) return 'windows'
  return /linux|chrome ?os|cros/i.test(source) ? 'linux' : 'other'
}

function nameOf({ userAgent, brands, isBrave }: BrowserHints, system: SystemName): BrowserName {
  if (isBrave) return 'brave'
  // Every browser of iOS is made of Safari's engine, and obeys its rules.
  if (system === 'ios') return 'safari'
  const has = (brand: RegExp): boolean => brands.some(name => brand.test(name)) || brand.test(userAgent)
  if (has(/edge|Edg\//i)) return 'edge'
  if (has(/opera|OPR\//i)) return 'opera'
  if (has(/firefox/i)) return 'firefox'
  if (has(/chrom(?:e|ium)/i)) return 'chrome'
  return has(/safari/i) ? 'safari' : 'other'
}
