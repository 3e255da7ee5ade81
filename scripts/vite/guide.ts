import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Marked, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import type { GuidePage } from 'virtual:guide'

const NAME = 'virtual:guide'
const FOLDER = resolve(import.meta.dirname, '../../docs/guide')
/** The changelog is the last page. */
const NEWS = { name: 'what-is-new', file: '../../CHANGELOG.md', title: 'What is new' }

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

/** Links between pages become `guide:page#part`, which the screen turns into its addresses. */
function pageOf(name: string): GuidePage {
  const isNews = name === NEWS.name
  const text = readFileSync(join(FOLDER, isNews ? NEWS.file : `${name}.md`), 'utf8')
  const sections: { anchor: string; title: string; text: string }[] = []
  const marked = new Marked({
    renderer: {
      heading({ depth, text: heading, tokens }: Tokens.Heading) {
        if (depth === 1) return ''
        return `<h2 id="${anchorOf(heading)}" tabindex="-1">${this.parser.parseInline(tokens)}</h2>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const [, page, part = ''] = /^([\w-]*)(?:\.md)?(#.*)?$/.exec(href) ?? []
        const target =
          page === undefined
            ? `href="${href}" target="_blank" rel="noopener noreferrer"`
            : `href="guide:${page || name}${part}"`
        return `<a ${target}>${this.parser.parseInline(tokens)}</a>`
      },
    },
  })
  for (const token of marked.lexer(text))
    if (token.type === 'heading')
      sections.push({
        anchor: token.depth === 1 ? '' : anchorOf(token.text as string),
        title: token.text as string,
        text: '',
      })
    else {
      const last = sections.at(-1)
      if (last !== undefined) last.text += token.raw.replaceAll(/\]\([^)]*\)|[*`[\]|]/g, '')
    }
  return {
    name,
    title: isNews ? NEWS.title : (sections[0]?.title ?? name),
    html: marked.parse(text, { async: false }).replaceAll('<pre>', '<pre tabindex="0">'),
    sections,
  }
}

/** The pages of docs/guide, in the order of its README. */
export function guide(): Plugin {
  return {
    name: 'guide',
    resolveId: source => (source === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined
      const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
      const names = [...index.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name = '']) => name)
      for (const name of ['README', ...names]) this.addWatchFile(join(FOLDER, `${name}.md`))
      this.addWatchFile(join(FOLDER, NEWS.file))
      return `export const pages = ${JSON.stringify([...names, NEWS.name].map(pageOf))}`
    },
  }
}
