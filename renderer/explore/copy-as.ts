/** The search as a request of the public API, in common tools. The key is a placeholder, never a real one. */
import type { EngineClient } from '../client/engine-client.ts';
import { copyText } from '../parts/clipboard.ts';
import { apiAddressToBe } from '../state/api-address.ts';
import { explore } from './explore-state.ts';
import { askableBody, type FilterBody, publicBody } from './filter-body.ts';

interface CopyForm {
  readonly id: 'curl' | 'power_query' | 'python' | 'node';
  readonly label: string;
  readonly text: (body: FilterBody, origin: string) => string;
}

/** Path of the public API; a test compares it with the operation's own. */
export const filterPath = '/api/public/v1/properties/filter/';
const key = 'YOUR_KEY';

const json = (body: FilterBody): string => JSON.stringify(publicBody(body));

/** A single quote would end the shell's quoted text, so each is closed, escaped and reopened. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = (body: FilterBody, origin: string): string =>
  [
    `curl -s '${origin}${filterPath}'`,
    `  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json'`,
    `  -d ${shellQuoted(json(body))}`,
  ].join(' \\\n');

/** M doubles quotes inside a text. */
const powerQuery = (body: FilterBody, origin: string): string => `let
  Body = "${json(body).replaceAll('"', '""')}",
  Get = (page as number) => Json.Document(Web.Contents("${origin}", [
    RelativePath = "${filterPath.slice(1)}", Query = [page = Text.From(page), page_size = "500"], Content = Text.ToBinary(Body),
    Headers = [Authorization = "Bearer ${key}", #"Content-Type" = "application/json"]])),
  Pages = List.Generate(() => [n = 1, data = Get(1)], each [data] <> null,
    each [n = [n] + 1, data = if [data][next] = null then null else Get([n] + 1)], each [data][results]),
  Table = Table.FromRecords(List.Combine(Pages))
in
  Table`;

const python = (body: FilterBody, origin: string): string => `import json, urllib.request

body = json.loads(${JSON.stringify(json(body))})
url, parcels = "${origin}${filterPath}?page_size=500", []
while url:
    request = urllib.request.Request(url, json.dumps(body).encode(), {
        "Authorization": "Bearer ${key}", "Content-Type": "application/json"})
    page = json.load(urllib.request.urlopen(request))
    parcels += page["results"]
    url = page["next"]
print(len(parcels), "parcels")`;

const node = (body: FilterBody, origin: string): string => `const parcels = [];
let url = '${origin}${filterPath}?page_size=500';
while (url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' },
    body: JSON.stringify(${json(body)}),
  });
  const page = await response.json();
  parcels.push(...page.results);
  url = page.next;
}
console.log(parcels.length, 'parcels');`;

export const copyForms: readonly CopyForm[] = [
  { id: 'curl', label: 'curl', text: curl },
  { id: 'power_query', label: 'Power Query (Excel)', text: powerQuery },
  { id: 'python', label: 'Python', text: python },
  { id: 'node', label: 'Node', text: node },
];

/** Copies the current filter to the clipboard. @throws ClientError */
export async function copyAs(client: EngineClient, id: CopyForm['id']): Promise<void> {
  const form = copyForms.find((one) => one.id === id);
  const address = await apiAddressToBe(client);
  if (form) copyText(form.text(askableBody(explore.get().filter), address), `Copied as ${form.label}`);
}
