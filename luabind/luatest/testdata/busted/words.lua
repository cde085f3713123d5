-- The words that define tests: each under its names, in each form.
local heard = {}
local function hear(what) heard[#heard + 1] = what end

describe("describe", function()
  it("it", function() end)
  test("test", function() end)
  spec("spec", function() end)
  context("context", function() it("is a group", function() end) end)
  it("is pending inside", function() pending("no wings") end)
  pending("pending")
  pending("pending with a function", function() error("not run") end)
  describe "without brackets" (function()
    it "nor here" (function() end)
  end)
  it("", function() end)
  describe("", function() it("in a group without a name", function() end) end)
  it("#tagged", function() end)
end)

describe("turns", function()
  local object
  setup(function() object = { name = "object" } end)
  it("comes first", function() hear("first") end)
  describe("a body", function()
    local name = object.name
    hear("body of " .. name)
    it("runs when its turn comes", function() hear("second") assert.equal("object", name) end)
  end)
  it("comes last", function() assert.same({ "first", "body of object", "second" }, heard) end)
end)

describe("around", function()
  local list
  setup(function() list = { "setup" } end)
  strict_setup(function() list[#list + 1] = "strict_setup" end)
  lazy_setup(function() list[#list + 1] = "lazy_setup" end)
  before_each(function() list[#list + 1] = "before_each" end)
  after_each(function() list[#list + 1] = "after_each" end)
  lazy_teardown(function() assert.equal("after_each", list[#list]) list[#list + 1] = "lazy_teardown" end)
  teardown(function() assert.equal("lazy_teardown", list[#list]) end)
  strict_teardown(function() assert.equal("lazy_teardown", list[#list]) end)
  it("has what comes before", function() assert.same({ "setup", "strict_setup", "lazy_setup", "before_each" }, list) end)
  it("has what came after", function() finally(function() list[#list + 1] = "finally" end) assert.same({ "after_each", "before_each" }, { list[5], list[6] }) end)
  it("has heard finally", function() assert.same({ "finally", "after_each", "before_each" }, { list[7], list[8], list[9] }) end)
  describe("within", function()
    before_each(function() list[#list + 1] = "inner before_each" end)
    after_each(function() list[#list + 1] = "inner after_each" end)
    it("runs the outer before_each first", function() assert.same({ "before_each", "inner before_each" }, { list[#list - 1], list[#list] }) end)
    it("runs the inner after_each first", function() assert.same({ "inner after_each", "after_each" }, { list[#list - 3], list[#list - 2] }) end)
  end)
end)

describe("randomize", function()
  randomize(false)
  local last = 0
  for i = 1, 5 do it("keeps the order " .. i, function() assert.equal(i - 1, last) last = i end) end
end)

it("takes no words inside of a test", function() assert.has_error(function() it("x", function() end) end) end)
