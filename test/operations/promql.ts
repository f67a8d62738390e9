/** A metric of an expression and the labels that the expression uses, as far as they can be read without a parser. */
export type Selected = { name: string; labels: string[] }

const selector = /\b((?:mintmark|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g

/** Every metric of a PromQL expression, with the labels of its selector and of the expression's groupings. */
export function selectedMetrics(expression: string): Selected[] {
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names]) => words(names ?? ''))
  return [...expression.matchAll(selector)].map(([, name, matchers]) => ({
    name: name!,
    labels: [...[...(matchers ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!), ...grouped],
  }))
}

/** Whether a metric is served with these labels. A histogram is served under its base name, which includes its three series and `le`. */
export function isServed({ name, labels }: Selected, served: ReadonlyMap<string, readonly string[]>): boolean {
  const base = served.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
  const own = name === 'up' ? [] : served.get(base)
  return own !== undefined && labels.every((label) => [...own, 'job', 'instance', 'le'].includes(label))
}

function words(text: string): string[] {
  return text.split(',').flatMap((word) => word.trim() || [])
}
