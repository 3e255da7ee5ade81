/** The pages of docs/guide, as scripts/vite/guide.ts reads them. */
declare module 'virtual:guide' {
  export type GuideSection = { readonly anchor: string; readonly title: string; readonly text: string }

  export type GuidePage = {
    readonly name: string
    readonly title: string
    /** Our own text. Links to other pages begin with `guide:`. */
    readonly html: string
    /** For the search; the first one is what comes before all headings. */
    readonly sections: readonly GuideSection[]
  }

  export const pages: readonly GuidePage[]
}
