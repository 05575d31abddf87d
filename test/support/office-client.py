"""LibreOffice as a client of a feed: a cell with WEBSERVICE and a sheet link, read, refreshed, read again.

Commands come as lines on standard input (`read`, `refresh`, `quit`), answers go out as lines of JSON.
Arguments: pipe name, address of a value, address of a table.
"""
import json
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.sheet.SheetLinkMode import VALUE


def connect(pipe):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(240):
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception:
            time.sleep(0.25)
    raise SystemExit("LibreOffice does not answer")


def hidden():
    value = PropertyValue()
    value.Name, value.Value = "Hidden", True
    return value


def main():
    pipe, value_url, table_url = sys.argv[1:4]
    context = connect(pipe)
    desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
    document = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (hidden(),))
    sheets = document.Sheets
    cell = sheets.getByIndex(0).getCellByPosition(0, 0)
    cell.Formula = f'=WEBSERVICE("{value_url}")'
    sheets.insertNewByName("Feed", 1)
    table = sheets.getByName("Feed")
    # Comma, quotation mark, UTF-8, from row 1, every column as text.
    columns = "/".join(f"{i}/2" for i in range(1, 100))
    table.link(table_url, "", "Text - txt - csv (StarCalc)", f"44,34,76,1,{columns}", VALUE)
    fresh = 0
    for line in sys.stdin:
        command = line.strip()
        if command == "refresh":
            for i in range(document.SheetLinks.Count):
                document.SheetLinks.getByIndex(i).refresh()
            document.calculateAll()
        if command == "quit":
            break
        fresh += 1
        # A new address: what a cell has fetched once stays until the document is opened again.
        other = sheets.getByIndex(0).getCellByPosition(0, fresh)
        # LibreOffice keeps what an address answered; the last part of a feed's address is for people, so another one is fresh.
        other.Formula = f'=WEBSERVICE("{value_url.rsplit("/", 1)[0]}/fresh-{fresh}.txt")'
        cursor = table.createCursor()
        cursor.gotoEndOfUsedArea(False)
        rows = table.getCellRangeByPosition(0, 0, cursor.RangeAddress.EndColumn, cursor.RangeAddress.EndRow).getDataArray()
        print(json.dumps({"value": cell.String, "fresh": other.String, "error": other.getError(), "rows": [list(row) for row in rows]}), flush=True)
    document.close(False)
    try:
        desktop.terminate()
    except Exception:
        pass


main()
