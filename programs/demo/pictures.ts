import { isOfNetwork } from './messages.ts'

/** Pictures at the network's addresses come over its port, since the page's policy lets the browser ask no other host. */
export function loadPicturesWith(load: typeof fetch, images: HTMLImageElement): void {
  const asked = new WeakMap<HTMLImageElement, string>()
  images.setAttribute = function setAttribute(this: HTMLImageElement, name, value) {
    const set = (to: string): void => Element.prototype.setAttribute.call(this, name, to)
    if (name !== 'src' || !URL.canParse(value) || !isOfNetwork(value)) return set(value)
    // React sets the attribute, and then the property.
    if (asked.get(this) === value) return
    asked.set(this, value)
    load(value)
      .then(answer => answer.blob())
      .then(
        blob => {
          const address = URL.createObjectURL(blob)
          this.addEventListener('load', () => URL.revokeObjectURL(address), { once: true })
          set(address)
        },
        () => undefined,
      )
  }
  Object.defineProperty(images, 'src', {
    ...Object.getOwnPropertyDescriptor(images, 'src'),
    set(this: HTMLImageElement, value: string) {
      this.setAttribute('src', value)
    },
  })
}
