-- Numbers and times in words.

describe("prose", function()
  local prose = require("lib.prose")

  it("groups the digits of a number", function()
    assert.equal("0", prose.number(0))
    assert.equal("999", prose.number(999))
    assert.equal("1,000", prose.number(1000))
    assert.equal("1,234,567", prose.number(1234567))
  end)

  it("counts in words", function()
    assert.equal("no shields", prose.many(0, "shield", "shields"))
    assert.equal("one shield", prose.many(1, "shield", "shields"))
    assert.equal("2,500 shields", prose.many(2500, "shield", "shields"))
  end)

  it("begins a sentence", function()
    assert.equal("The Widow Thorne.", prose.sentence("the Widow Thorne."))
    assert.equal("", prose.sentence(""))
  end)

  it("rounds a share", function()
    assert.equal("33%", prose.percent(1, 3))
    assert.equal("67%", prose.percent(2, 3))
    assert.equal("0%", prose.percent(0, 0))
  end)

  it("tells the time from dawn to nightfall", function()
    assert.equal("06:00", prose.clock(0, 600))
    assert.equal("07:24", prose.clock(60, 600))
    assert.equal("20:00", prose.clock(600, 600))
  end)
end)
